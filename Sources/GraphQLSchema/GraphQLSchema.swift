enum GraphQLSchemaModule {}
