# Ruby's graphql gem, behind WEBrick.
require "graphql"
require "json"
require "webrick"

module Types
  class Level < GraphQL::Schema::Enum
    value "EASY"
    value "very_hard", value: :hard
  end

  class Recipe < GraphQL::Schema::Object
    implements GraphQL::Types::Relay::Node
    field :title, String, null: false
    field :level, Level, null: true
    field :cooked_at, GraphQL::Types::ISO8601DateTime, null: true
    field :first_cooked_on, GraphQL::Types::ISO8601Date, null: true
    field :extra_data, GraphQL::Types::JSON, null: true
    field :calories, GraphQL::Types::BigInt, null: true
    field :old_title, String, null: true, deprecation_reason: "Use title."
    field :secret, String, null: true

    def id
      context.schema.id_from_object(object, self.class, context)
    end

    def secret
      raise GraphQL::ExecutionError.new("Chefs only.", extensions: { "code" => "FORBIDDEN" })
    end
  end

  class Chef < GraphQL::Schema::Object
    field :name, String, null: false
  end

  class Result < GraphQL::Schema::Union
    possible_types Recipe, Chef

    def self.resolve_type(object, _context)
      object.is_a?(RecipeRow) ? Recipe : Chef
    end
  end
end

RecipeRow = Struct.new(
  :number, :title, :level, :cooked_at, :first_cooked_on, :extra_data, :calories, :old_title
)
ChefRow = Struct.new(:name)

RECIPES = (1..5).map do |number|
  RecipeRow.new(
    number, "Soup #{number}", :hard, Time.utc(2026, 1, 2, 3, 4, 5), Date.new(2020, 2, 29),
    { "steps" => ["cut", number] }, 2**40, nil
  )
end

class RenameRecipe < GraphQL::Schema::RelayClassicMutation
  argument :title, String, required: true, validates: { length: { minimum: 3 } }
  argument :new_level, Types::Level, required: false
  field :recipe, Types::Recipe, null: true

  def resolve(title:, new_level: nil)
    { recipe: RecipeRow.new(1, title, new_level || :hard) }
  end
end

class QueryType < GraphQL::Schema::Object
  include GraphQL::Types::Relay::HasNodeField
  field :recipes, Types::Recipe.connection_type, null: false
  field :search, [Types::Result], null: false do
    argument :word, String, required: true
    argument :minimum_level, Types::Level, required: false, default_value: :hard
  end
  field :crash, String, null: true

  def recipes
    RECIPES
  end

  def search(word:, minimum_level:)
    [RECIPES.first, ChefRow.new("#{word} #{minimum_level}")]
  end

  def crash
    raise "the kitchen burns"
  end
end

class MutationType < GraphQL::Schema::Object
  field :rename_recipe, mutation: RenameRecipe
end

class Kitchen < GraphQL::Schema
  query QueryType
  mutation MutationType
  max_depth 12

  def self.id_from_object(object, type, _context)
    "#{type.graphql_name}-#{object.number}"
  end

  def self.object_from_id(id, _context)
    RECIPES.find { |recipe| "Recipe-#{recipe.number}" == id }
  end

  def self.resolve_type(_abstract, _object, _context)
    Types::Recipe
  end
end

server = WEBrick::HTTPServer.new(
  BindAddress: "127.0.0.1", Port: 0, AccessLog: [], Logger: WEBrick::Log.new($stderr, 1)
)
server.mount_proc("/graphql") do |request, response|
  response.content_type = "application/json; charset=utf-8"
  operation = JSON.parse(request.body)
  result = Kitchen.execute(
    operation["query"], variables: operation["variables"], operation_name: operation["operationName"]
  )
  response.body = JSON.generate(result)
rescue StandardError => error
  # As a Rails application does in development.
  response.status = 500
  response.body = JSON.generate(errors: [{ message: error.message }], data: {})
end
puts server.listeners.first.addr[1]
$stdout.flush
trap("TERM") { server.shutdown }
server.start
