"""graphql-core, with graphql-server for aiohttp."""
import asyncio
import socket

from aiohttp import web
from graphql import GraphQLError, build_schema
from graphql_server.aiohttp.views import GraphQLView

SDL = '''
scalar Upload
enum color { red dark_green }
type Query {
  _version: String!
  echo(items: [item!]!, by_color: color = dark_green): [item_echo!]!
  missing: item_echo!
  secret: String
}
type Mutation { upload_all(files: [[Upload!]!]!): [Int!]! }
type Subscription { ticks(count: Int!): Int! }
input item { name: String! sub_items: [item!] weight: Float big: ID }
type item_echo { name: String! sub_items: [item_echo!] weight: Float big: ID color: color }
'''

schema = build_schema(SDL)
schema.type_map["Upload"].parse_value = lambda value: value


def echo(item, color):
    return {
        **item,
        "color": color,
        "sub_items": [echo(sub, color) for sub in item.get("sub_items") or []],
    }


def refuse(*_, **__):
    raise GraphQLError("Who are you?", extensions={"code": "UNAUTHENTICATED"})


async def ticks(root, info, count):
    for value in range(count):
        await asyncio.sleep(0)
        yield {"ticks": value}


fields = schema.query_type.fields
fields["_version"].resolve = lambda *_: "1"
fields["echo"].resolve = lambda root, info, items, by_color: [
    echo(item, by_color) for item in items
]
fields["missing"].resolve = lambda *_: None
fields["secret"].resolve = refuse
schema.mutation_type.fields["upload_all"].resolve = lambda root, info, files: [
    sum(len(file.read()) for file in group) for group in files
]
schema.subscription_type.fields["ticks"].subscribe = ticks

application = web.Application()
view = GraphQLView(schema=schema, multipart_uploads_enabled=True)
application.router.add_route("*", "/graphql", view)
application.router.add_get("/page", lambda request: web.Response(text="<h1>Hi</h1>"))

listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
web.run_app(application, sock=listener, print=None)
