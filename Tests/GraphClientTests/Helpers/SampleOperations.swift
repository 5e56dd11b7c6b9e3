import GraphQLRuntime

func shopQuery() -> Store.QueryRootQuery { Store.buildQuery { $0.shop { $0.name() } } }

func renameMutation() -> Store.MutationQuery {
  Store.buildMutation { $0.rename(name: "Boots") { $0.name() } }
}
