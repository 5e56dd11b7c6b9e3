"""The storefront of schema.graphql with data in memory, served by ariadne."""
import asyncio
from pathlib import Path

from ariadne import (
    InterfaceType,
    MutationType,
    ObjectType,
    SubscriptionType,
    load_schema_from_path,
    make_executable_schema,
)
from ariadne.asgi import GraphQL
from ariadne.asgi.handlers import GraphQLTransportWSHandler
from ariadne.contrib.sse import GraphQLHTTPSSEHandler
from graphql import GraphQLError

ROOT = Path(__file__).resolve().parents[2]

query = ObjectType("QueryRoot")
mutation = MutationType()
subscription = SubscriptionType()

SHOP = {"id": "shop/1", "name": "Swift Shoes", "currencyCode": "EUR", "unitsSold": "9007199254740993"}
PRODUCTS = [{"id": f"product/{n}", "title": f"Shoe {n}"} for n in range(1, 8)]
CHECKOUTS = {}


def kind_of(value, *_):
    return {"shop": "Shop", "product": "Product", "checkout": "Checkout"}[value["id"].split("/")[0]]


@query.field("shop")
def shop(*_):
    return SHOP


@query.field("products")
def products(_, info, first=5, after=None, **__):
    start = int(after) if after else 0
    page = PRODUCTS[start : start + first]
    return {
        "nodes": page,
        "totalCount": str(len(PRODUCTS)),
        "pageInfo": {
            "hasNextPage": start + first < len(PRODUCTS),
            "hasPreviousPage": start > 0,
            "endCursor": str(start + len(page)),
        },
    }


@query.field("node")
def node(_, info, id):
    """A checkout becomes ready when it has been asked for three times."""
    if id not in CHECKOUTS:
        return None
    CHECKOUTS[id] += 1
    return {"id": id, "ready": CHECKOUTS[id] >= 3}


@query.field("customer")
def customer(_, info, accessToken):
    raise GraphQLError("the token has expired", extensions={"code": "UNAUTHENTICATED"})


@mutation.field("checkoutCreate")
def checkout_create(_, info, input):
    id = f"checkout/{len(CHECKOUTS) + 1}"
    CHECKOUTS[id] = 0
    return {"checkout": {"id": id, "ready": False}, "userErrors": []}


@subscription.source("orderUpdated")
async def order_updated(_, info, id):
    for number in range(1, 4):
        await asyncio.sleep(0.01)
        yield {"orderUpdated": {"id": id, "name": f"#{number}", "number": number}}


schema = make_executable_schema(
    load_schema_from_path(str(ROOT / "schema.graphql")),
    query,
    mutation,
    subscription,
    InterfaceType("Node", kind_of),
)
app = GraphQL(schema, http_handler=GraphQLHTTPSSEHandler(), websocket_handler=GraphQLTransportWSHandler())
