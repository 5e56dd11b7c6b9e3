/// Every symbol of GraphQLRuntime that emitted code uses.
///
/// Generator and runtime never import each other: this file is their only connection. A symbol that
/// is renamed in the runtime is renamed here, and nowhere else in the generator.
package enum RuntimeSymbols {
  static let module = "GraphQLRuntime"
  /// The runtime's own namespace, which contains all the types below.
  static let namespace = "GraphQL"

  // Types of the module's skeleton.
  static let schemaNamespace = "GraphQL.Namespace"
  static let schemaTable = "GraphQL.SchemaTable"
  static let abstractQuery = "GraphQL.AbstractQuery"
  static let abstractResponse = "GraphQL.AbstractResponse"
  static let queryBuilder = "GraphQL.QueryBuilder"
  static let mutationBuilder = "GraphQL.MutationBuilder"
  static let subscriptionBuilder = "GraphQL.SubscriptionBuilder"
  static let directive = "GraphQL.Directive"

  // Their parameters and members.
  static let tableName = "name"
  static let tableText = "table"
  static let tableQueries = "queries"
  static let tableResponses = "responses"
  static let tableScalars = "scalars"
  static let schema = "schema"
  static let response = "Response"
  static let directiveSchema = "Schema"

  // Types of values.
  static let enumeration = "GraphQL.Enum"
  static let inputObject = "GraphQL.InputObject"
  static let oneOfInputObject = "GraphQL.OneOfInput"
  static let inputFieldStorage = "GraphQL.InputFields"
  static let inputValue = "GraphQL.InputValue"
  package static let id = "GraphQL.ID"
  static let dateTime = "GraphQL.DateTime"
  static let localDate = "GraphQL.LocalDate"
  static let url = "GraphQL.URL"
  static let decimal = "GraphQL.Decimal"
  package static let json = "GraphQL.JSON"
  static let bigInt = "GraphQL.BigInt"
  static let upload = "GraphQL.Upload"

  // Requirements that generated types satisfy.
  static let unknownValue = "unknownValue"
  static let enumNames = "_names"
  static let enumCases = "_cases"
  static let enumPosition = "_position"
  static let inputFields = "_fields"
  static let oneOfField = "_field"

  /// Nested types of the classes of root queries, which hide types of the namespace in them.
  static let memberTypes: WordSet = [response]

  // Functions of `AbstractQuery` and `Directive` that builder methods call.
  static let begin = "_begin"
  static let end = "_end"
  static let field = "_field"
  static let argument = "_arg"
  static let child = "_child"
  static let on = "_on"
  static let applyDirective = "_directive"

  /// Names that a builder method must not use, since the bodies call them.
  static let queryHelpers: WordSet = [begin, end, field, argument, child, on, applyDirective]

  // Functions of `InputFields` that methods of input objects call.
  static let set = "set"
  static let readOptional = "optional"
  static let readRequired = "required"

  // Functions of `AbstractResponse` that accessors call; `Opt` is added if the field is nullable.
  static let string = "_string"
  static let int = "_int"
  static let double = "_double"
  static let bool = "_bool"
  static let readID = "_id"
  static let one = "_one"
  static let any = "_any"
  static let optionalSuffix = "Opt"
  static let list = "_list"
  static let anyList = "_anyList"
  static let anys = "_anys"
  static let value = "_value"

  /// Names that an accessor must not use, since the bodies call them.
  static let responseHelpers = WordSet(
    Set([string, int, double, bool, readID, one, any].flatMap { [$0, $0 + optionalSuffix] })
      .union([list, anyList, anys, value]))

  // Types of typed operations.
  static let typedQuery = "GraphQL.TypedQuery"
  static let typedMutation = "GraphQL.TypedMutation"
  static let typedSubscription = "GraphQL.TypedSubscription"
  static let typedFragment = "GraphQL.TypedFragment"
  static let selectedRoot = "GraphQL.SelectedRoot"
  static let selectedObject = "GraphQL.SelectedObject"
  static let fields = "GraphQL.Fields"
  static let delivery = "GraphQL.Delivery"
  static let responseError = "GraphQL.ResponseError"
  static let documentText = "GraphQL.DocumentText"
  static let variables = "GraphQL.Variables"

  // Their members.
  static let document = "_document"
  static let selectedFields = "_fields"
  static let storedVariables = "_variables"
  static let localVariables = "variables"
  static let addVariable = "_add"
  static let data = "Data"

  // Functions of `Fields` that accessors call; `Opt` is added if the value is optional.
  static let readString = "string"
  static let readInt = "int"
  static let readDouble = "double"
  static let readBool = "bool"
  static let readKey = "id"
  static let readValue = "value"
  static let readObject = "one"
  static let readObjects = "list"
  static let readNestedObjects = "lists"
  static let readDelivery = "delivery"
  static let readCaught = "orError"
}
