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

ROOT = Path(__file__).resolve().parents[4]

query = ObjectType("QueryRoot")
mutation = MutationType()
subscription = SubscriptionType()

SHOP = {
    "id": "shop/1",
    "name": "Swift Shoes",
    "description": "Shoes to walk in.",
    "currencyCode": "EUR",
    "unitsSold": "9007199254740993",
}
CARTS = {}
NOTES = {}
CHECKOUTS = {}
KINDS = {
    "shop": "Shop", "product": "Product", "variant": "ProductVariant", "checkout": "Checkout",
    "order": "Order", "cart": "Cart",
}  # fmt: skip


def money(cents):
    return {"amount": f"{cents // 100}.{cents % 100:02}", "currencyCode": "EUR"}


def product(number):
    cents = 4990 + 500 * number
    variant = {"id": f"variant/{number}", "title": f"Shoe {number}, size 42", "price": money(cents)}
    return {
        "id": f"product/{number}",
        "title": f"Shoe {number}",
        "vendor": "Cobbler",
        "priceRange": {"min": money(cents), "max": money(cents)},
        "variants": {"nodes": [variant]},
        "cents": cents,
    }


PRODUCTS = [product(number) for number in range(1, 8)]


def kind_of(value, *_):
    return KINDS[value["id"].split("/")[0]]


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
    """A checkout becomes ready when it has been requested three times."""
    if id not in CHECKOUTS:
        return None
    CHECKOUTS[id] += 1
    ready = CHECKOUTS[id] >= 3
    return {"id": id, "ready": ready, "order": {"id": "order/1", "name": "#1"} if ready else None}


@query.field("customer")
def customer(_, info, accessToken):
    raise GraphQLError("the token has expired", extensions={"code": "UNAUTHENTICATED"})


@mutation.field("cartCreate")
def cart_create(_, info, input=None):
    id = f"cart/{len(CARTS) + 1}"
    CARTS[id] = {"id": id, "lines": [], "cost": {"subtotal": money(0), "total": money(0)}}
    return {"cart": CARTS[id], "userErrors": []}


@mutation.field("cartLinesAdd")
def cart_lines_add(_, info, cartId, lines):
    """Adds the products of the shop; others become user errors."""
    cart, errors = CARTS[cartId], []
    for position, line in enumerate(lines):
        found = [p for p in PRODUCTS if p["variants"]["nodes"][0]["id"] == line["merchandiseId"]]
        if not found:
            message = "There is no such shoe."
            errors.append({"field": ["lines", str(position)], "message": message})
            continue
        quantity = line.get("quantity", 1)
        cents = found[0]["cents"] * quantity
        cart["lines"].append(
            {
                "id": f"line/{len(cart['lines']) + 1}",
                "quantity": quantity,
                "merchandise": found[0]["variants"]["nodes"][0],
                "total": money(cents),
                "cents": cents,
            }
        )
    total = money(sum(line["cents"] for line in cart["lines"]))
    cart["cost"] = {"subtotal": total, "total": total}
    return {"cart": cart, "userErrors": errors}


@mutation.field("cartNoteUpdate")
def cart_note_update(_, info, cartId, note=None):
    """Creates an empty cart if there is none."""
    NOTES[cartId] = note
    return {"cart": {"id": cartId, "note": note}, "userErrors": []}


@query.field("cart")
def cart(_, info, id):
    return {"id": id, "note": NOTES.get(id)}


@mutation.field("checkoutCreate")
def checkout_create(_, info, input):
    id = f"checkout/{len(CHECKOUTS) + 1}"
    CHECKOUTS[id] = 0
    return {"checkout": {"id": id, "ready": False}, "userErrors": []}


@subscription.source("orderUpdated")
async def order_updated(_, info, id):
    for number, status in enumerate(["UNFULFILLED", "PARTIAL", "FULFILLED"], start=1):
        await asyncio.sleep(0.01)
        order = {"id": id, "name": "#1", "number": number, "fulfilmentStatus": status}
        yield {"orderUpdated": order}


schema = make_executable_schema(
    load_schema_from_path(str(ROOT / "schema.graphql")),
    query,
    mutation,
    subscription,
    InterfaceType("Node", kind_of),
    InterfaceType("Sellable", kind_of),
)
app = GraphQL(schema, http_handler=GraphQLHTTPSSEHandler(), websocket_handler=GraphQLTransportWSHandler())
