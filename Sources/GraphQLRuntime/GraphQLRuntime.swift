enum GraphQLRuntimeModule {}
