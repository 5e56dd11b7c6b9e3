enum GraphQLCodeGenModule {}
