"""Ariadne: with the web socket protocol of today, and with the older one."""
from ariadne import (
    MutationType,
    QueryType,
    SubscriptionType,
    make_executable_schema,
    upload_scalar,
)
from ariadne.asgi import GraphQL
from ariadne.asgi.handlers import GraphQLTransportWSHandler, GraphQLWSHandler
from ariadne.exceptions import WebSocketConnectionError
from graphql import GraphQLError
from starlette.applications import Starlette
from starlette.routing import Mount

from serving import serve

SDL = '''
scalar Upload
scalar Money

type Query {
  greeting(first_name: String! = "you"): String!
  forbidden: String
  price: Money
}
type Mutation { read_file(input: file_input!): file_result! }
type Subscription {
  count_up(last_value: Int! = 3): Int!
  fails_after(values: Int!): Int!
  token: String
}
input file_input { file: Upload! note: String }
type file_result { content: String! note: String }
'''

query, mutation, subscription = QueryType(), MutationType(), SubscriptionType()


@query.field("greeting")
def greeting(_, info, first_name):
    return f"Hello, {first_name}!"


@query.field("forbidden")
def forbidden(_, info):
    raise GraphQLError("Not for you.", extensions={"code": "FORBIDDEN"})


@query.field("price")
def price(_, info):
    return {"amount": "10.50", "currency": "EUR"}


@mutation.field("read_file")
async def read_file(_, info, input):
    content = (await input["file"].read()).decode()
    return {"content": content, "note": input.get("note")}


@subscription.source("count_up")
async def count_up(_, info, last_value):
    for value in range(1, last_value + 1):
        yield value


@subscription.source("fails_after")
async def fails_after(_, info, values):
    for value in range(values):
        yield value
    raise GraphQLError("The source has failed.")


@subscription.source("token")
async def token(_, info):
    yield info.context["token"]


@subscription.field("count_up")
@subscription.field("fails_after")
@subscription.field("token")
def event(value, info, **arguments):
    return value


def context(request, data=None):
    return {"request": request, "token": request.scope.get("token")}


def on_connect(websocket, payload):
    token = (payload or {}).get("token")
    if token == "stolen":
        raise WebSocketConnectionError("The token is not valid.")
    websocket.scope["token"] = token


schema = make_executable_schema(SDL, query, mutation, subscription, upload_scalar)


def app(handler):
    return GraphQL(schema, context_value=context, websocket_handler=handler(on_connect=on_connect))


serve(
    Starlette(
        routes=[
            Mount("/transport", app(GraphQLTransportWSHandler)),
            Mount("/older", app(GraphQLWSHandler)),
        ]
    )
)
