"""The shape of Hasura's API over two tables of PostgreSQL: names, filters, aggregates, upserts, live
subscriptions, and errors with the status 200.

Usage: server.py CONNECTION
"""
import asyncio
import datetime
import decimal
import json
import sys
import uuid

import psycopg
from ariadne import (
    MutationType,
    ObjectType,
    QueryType,
    ScalarType,
    SubscriptionType,
    make_executable_schema,
)
from ariadne.asgi import GraphQL
from ariadne.asgi.handlers import GraphQLTransportWSHandler
from graphql import GraphQLError
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb
from starlette.responses import JSONResponse

from serving import serve

TABLES = '''
create table users (
  id serial primary key, first_name text not null unique, created_at timestamptz not null default now(),
  balance numeric not null default 0, external_id uuid not null default gen_random_uuid(),
  settings jsonb, visits bigint not null default 0, tags text[] not null default '{}');
create table posts (
  id serial primary key, user_id integer not null references users on delete cascade, title text not null);
insert into users (first_name, created_at, balance, settings, visits, tags) values
  ('Ada', '2026-01-02T03:04:05.678901Z', 10.50, '{"theme": "dark"}', 9007199254740993, '{a,b}'),
  ('Grace', '2026-01-03T00:00:00Z', 0, null, 2, '{}');
insert into posts (user_id, title) values (1, 'Notes'), (1, 'Engine'), (2, 'Compiler');
'''

COMPARED = {"Int": "Int", "String": "String", "timestamptz": "timestamptz", "numeric": "numeric",
            "uuid": "uuid", "jsonb": "jsonb", "bigint": "bigint"}
OPERATORS = {"_eq": "=", "_neq": "<>", "_gt": ">", "_gte": ">=", "_lt": "<", "_lte": "<=",
             "_like": "like", "_ilike": "ilike"}

SDL = "".join(f"scalar {name}\n" for name in COMPARED if name not in ("Int", "String")) + "".join(
    f'''input {name}_comparison_exp {{
  _eq: {name} _neq: {name} _gt: {name} _gte: {name} _lt: {name} _lte: {name}
  _in: [{name}!] _nin: [{name}!] _is_null: Boolean {"_like: String _ilike: String" if name == "String" else ""}
}}
''' for name in COMPARED) + '''
enum order_by { asc asc_nulls_first asc_nulls_last desc desc_nulls_first desc_nulls_last }
enum users_select_column { id first_name created_at balance external_id settings visits tags }
enum users_constraint { users_pkey users_first_name_key }
enum users_update_column { first_name created_at balance settings visits }
input users_bool_exp {
  _and: [users_bool_exp!] _or: [users_bool_exp!] _not: users_bool_exp
  id: Int_comparison_exp first_name: String_comparison_exp created_at: timestamptz_comparison_exp
  balance: numeric_comparison_exp external_id: uuid_comparison_exp settings: jsonb_comparison_exp
  visits: bigint_comparison_exp posts: posts_bool_exp
}
input posts_bool_exp {
  _and: [posts_bool_exp!] _or: [posts_bool_exp!] _not: posts_bool_exp
  id: Int_comparison_exp title: String_comparison_exp
}
input users_order_by { id: order_by first_name: order_by created_at: order_by balance: order_by }
input users_insert_input {
  first_name: String created_at: timestamptz balance: numeric external_id: uuid settings: jsonb visits: bigint
}
input users_on_conflict {
  constraint: users_constraint! update_columns: [users_update_column!]! = [] where: users_bool_exp
}
input users_set_input { first_name: String balance: numeric settings: jsonb }
input users_inc_input { balance: numeric visits: bigint }
input users_pk_columns_input { id: Int! }

type users {
  id: Int! first_name: String! created_at: timestamptz! balance: numeric! external_id: uuid!
  settings(path: String): jsonb visits: bigint! tags: [String!]! posts(limit: Int, where: posts_bool_exp): [posts!]!
}
type posts { id: Int! title: String! user: users! }
type users_aggregate { aggregate: users_aggregate_fields nodes: [users!]! }
type users_aggregate_fields { count(columns: [users_select_column!], distinct: Boolean): Int! sum: users_sum_fields }
type users_sum_fields { balance: numeric visits: numeric }
type users_mutation_response { affected_rows: Int! returning: [users!]! }

type query_root {
  users(distinct_on: [users_select_column!], limit: Int, offset: Int, order_by: [users_order_by!],
    where: users_bool_exp): [users!]!
  users_by_pk(id: Int!): users
  users_aggregate(where: users_bool_exp): users_aggregate!
}
type mutation_root {
  insert_users(objects: [users_insert_input!]!, on_conflict: users_on_conflict): users_mutation_response
  insert_users_one(object: users_insert_input!, on_conflict: users_on_conflict): users
  update_users_by_pk(_inc: users_inc_input, _set: users_set_input, pk_columns: users_pk_columns_input!): users
  delete_users(where: users_bool_exp!): users_mutation_response
}
type subscription_root { users(where: users_bool_exp, order_by: [users_order_by!]): [users!]! }
schema { query: query_root mutation: mutation_root subscription: subscription_root }
'''


def refusal(message, code):
    return GraphQLError(message, extensions={"code": code, "path": "$"})


def run(statement, parameters=()):
    with psycopg.connect(sys.argv[1], row_factory=dict_row) as connection:
        try:
            cursor = connection.execute(statement, parameters)
            return cursor.fetchall() if cursor.description else []
        except psycopg.errors.UniqueViolation as error:
            name = error.diag.constraint_name
            raise refusal(
                f'Uniqueness violation. duplicate key value violates unique constraint "{name}"',
                "constraint-violation",
            ) from error
        except psycopg.DataError as error:
            raise refusal(str(error).splitlines()[0], "data-exception") from error


def parameter(value):
    return Jsonb(value) if isinstance(value, dict) else value


def condition(where, table="users"):
    """The text of a filter, and its parameters."""
    parts, parameters = [], []

    def add(text, values=()):
        parts.append(text)
        parameters.extend(values)

    for name, value in (where or {}).items():
        if name in ("_and", "_or"):
            inner = [condition(one, table) for one in value]
            joined = f" {name[1:]} ".join(text for text, _ in inner)
            add(f"({joined or ('true' if name == '_and' else 'false')})",
                [one for _, values in inner for one in values])
        elif name == "_not":
            text, values = condition(value, table)
            add(f"not ({text})", values)
        elif name == "posts":
            text, values = condition(value, "posts")
            add(f"exists (select 1 from posts where posts.user_id = users.id and {text})", values)
        else:
            for operator, operand in value.items():
                column = f"{table}.{name}"
                if operator == "_is_null":
                    add(f"{column} is {'' if operand else 'not '}null")
                elif operator in ("_in", "_nin"):
                    add(f"{'not ' if operator == '_nin' else ''}{column} = any(%s)", [operand])
                else:
                    add(f"{column} {OPERATORS[operator]} %s", [parameter(operand)])
    return " and ".join(parts) or "true", parameters


def select_users(where=None, order_by=None, limit=None, offset=None, distinct_on=None):
    text, parameters = condition(where)
    order = [
        f"{column} {direction.replace('_nulls_', ' nulls ')}"
        for one in order_by or []
        for column, direction in one.items()
    ]
    statement = "select " + (f"distinct on ({', '.join(distinct_on)}) " if distinct_on else "")
    statement += f"* from users where {text} order by {', '.join(order) or 'id'}"
    return run(f"{statement} limit %s offset %s", [*parameters, limit, offset])


def insert(objects, conflict=None):
    rows = []
    for one in objects:
        names = ", ".join(one) or "id"
        values = ", ".join(["%s"] * len(one)) or "default"
        statement = f"insert into users ({names}) values ({values})"
        if conflict:
            updates = [f"{name} = excluded.{name}" for name in conflict["update_columns"]]
            action = f"update set {', '.join(updates)}" if updates else "nothing"
            statement += f" on conflict on constraint {conflict['constraint']} do {action}"
        rows += run(f"{statement} returning *", [parameter(value) for value in one.values()])
    return rows


query, mutation = ObjectType("query_root"), ObjectType("mutation_root")
subscription = SubscriptionType()
subscription.name = "subscription_root"
users, posts = ObjectType("users"), ObjectType("posts")
aggregate = ObjectType("users_aggregate")


@query.field("users")
def resolve_users(_, info, **arguments):
    return select_users(**arguments)


@query.field("users_by_pk")
def resolve_user(_, info, id):
    return next(iter(run("select * from users where id = %s", [id])), None)


@query.field("users_aggregate")
def resolve_aggregate(_, info, where=None):
    return {"where": where}


@aggregate.field("aggregate")
def resolve_numbers(parent, info):
    text, parameters = condition(parent["where"])
    row = run(f"select count(*), sum(balance) as balance, sum(visits) as visits from users where {text}",
              parameters)[0]
    return {"count": row.pop("count"), "sum": row}


@aggregate.field("nodes")
def resolve_nodes(parent, info):
    return select_users(parent["where"])


@users.field("posts")
def resolve_posts(user, info, limit=None, where=None):
    text, parameters = condition(where, "posts")
    return run(f"select * from posts where user_id = %s and {text} order by id limit %s",
               [user["id"], *parameters, limit])


@users.field("settings")
def resolve_settings(user, info, path=None):
    return (user["settings"] or {}).get(path) if path else user["settings"]


@posts.field("user")
def resolve_author(post, info):
    return run("select * from users where id = %s", [post["user_id"]])[0]


@mutation.field("insert_users")
def insert_users(_, info, objects, on_conflict=None):
    rows = insert(objects, on_conflict)
    return {"affected_rows": len(rows), "returning": rows}


@mutation.field("insert_users_one")
def insert_user(_, info, object, on_conflict=None):
    return next(iter(insert([object], on_conflict)), None)


@mutation.field("update_users_by_pk")
def update_user(_, info, pk_columns, _set=None, _inc=None):
    changes = [f"{name} = %s" for name in _set or {}]
    changes += [f"{name} = {name} + %s" for name in _inc or {}]
    values = [parameter(value) for value in [*(_set or {}).values(), *(_inc or {}).values()]]
    if not changes:
        raise refusal("at least any one of _set, _inc operator is expected", "unexpected")
    statement = f"update users set {', '.join(changes)} where id = %s returning *"
    return next(iter(run(statement, [*values, pk_columns["id"]])), None)


@mutation.field("delete_users")
def delete_users(_, info, where):
    text, parameters = condition(where)
    rows = run(f"delete from users where {text} returning *", parameters)
    return {"affected_rows": len(rows), "returning": rows}


@subscription.source("users")
async def watch_users(_, info, **arguments):
    """Sends the rows, and again after each change, as a live query does."""
    previous = None
    while True:
        rows = await asyncio.to_thread(select_users, **arguments)
        if rows != previous:
            previous = rows
            yield rows
        await asyncio.sleep(0.05)


@subscription.field("users")
def watched_users(rows, info, **arguments):
    return rows


def serialized(value):
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    # Hasura writes numeric and bigint as numbers unless it is configured to write strings.
    return float(value) if isinstance(value, decimal.Decimal) else value


scalars = [
    ScalarType(name, serializer=serialized) for name in COMPARED if name not in ("Int", "String")
]
schema = make_executable_schema(
    SDL, query, mutation, subscription, users, posts, aggregate, *scalars
)


def formatted(error, debug=False):
    """Errors of validation have Hasura's code as well."""
    extensions = error.extensions or {"code": "validation-failed", "path": "$"}
    return {"message": error.message, "extensions": extensions}


graphql = GraphQL(
    schema, error_formatter=formatted, websocket_handler=GraphQLTransportWSHandler()
)


async def app(scope, receive, send):
    """Hasura's responses have the status 200, also those with errors."""

    async def send_ok(message):
        if message["type"] == "http.response.start":
            message["status"] = 200
        await send(message)

    if scope["type"] == "http":
        secret = dict(scope["headers"]).get(b"x-hasura-admin-secret")
        if secret != b"secret":
            error = {
                "message": 'invalid "x-hasura-admin-secret"/"x-hasura-access-key"',
                "extensions": {"path": "$", "code": "access-denied"},
            }
            return await JSONResponse({"errors": [error]})(scope, receive, send)
    await graphql(scope, receive, send_ok)


with psycopg.connect(sys.argv[1]) as connection:
    connection.execute(TABLES)
serve(app)
