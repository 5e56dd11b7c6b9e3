"""Strawberry: with camel case and without, and with incremental delivery."""
import asyncio
import datetime
import decimal
import enum
import uuid
from typing import Annotated, AsyncGenerator

import strawberry
from starlette.applications import Starlette
from starlette.routing import Mount
from strawberry.asgi import GraphQL
from strawberry.file_uploads import Upload
from strawberry.schema.config import StrawberryConfig
from strawberry.subscriptions import (
    GRAPHQL_SSE_PROTOCOL,
    GRAPHQL_TRANSPORT_WS_PROTOCOL,
    GRAPHQL_WS_PROTOCOL,
    MULTIPART_SUBSCRIPTION_PROTOCOL,
)

from serving import serve


@strawberry.enum
class Kind(enum.Enum):
    FULL_TIME = "full"
    guest = "guest"


@strawberry.interface
class Node:
    id: strawberry.ID


@strawberry.type
class Person(Node):
    first_name: str
    created_at: datetime.datetime
    birthday: datetime.date
    kind: Kind
    salary: decimal.Decimal
    badge: uuid.UUID
    settings: strawberry.scalars.JSON


@strawberry.type
class Robot(Node):
    serial_number: str


@strawberry.input
class NewPerson:
    first_name: str
    kind: Kind = Kind.guest
    hired_at: datetime.datetime | None = None


@strawberry.input(one_of=True)
class PersonFilter:
    id: strawberry.Maybe[strawberry.ID]
    first_name: strawberry.Maybe[str]


def person(name="Ada", kind=Kind.FULL_TIME):
    return Person(
        id="1",
        first_name=name,
        created_at=datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc),
        birthday=datetime.date(1815, 12, 10),
        kind=kind,
        salary=decimal.Decimal("1200.50"),
        badge=uuid.UUID(int=5),
        settings={"theme": ["dark", 1]},
    )


@strawberry.type
class Query:
    @strawberry.field
    def person_by_id(self, id: strawberry.ID) -> Person | None:
        return person() if id == "1" else None

    @strawberry.field
    def staff(
        self, first_n: int = 2
    ) -> list[Annotated[Person | Robot, strawberry.union("Employee")]]:
        return [person(), Robot(id="2", serial_number="R2")][:first_n]

    @strawberry.field
    def find(self, by: PersonFilter) -> str:
        return f"name {by.first_name.value}" if by.first_name else f"id {by.id.value}"

    @strawberry.field
    def fails(self) -> str | None:
        raise ValueError("This field always fails.")

    @strawberry.field
    def fails_required(self) -> str:
        raise ValueError("This field always fails.")


@strawberry.type
class Mutation:
    @strawberry.mutation
    def add_person(self, person_data: NewPerson) -> Person:
        return person(person_data.first_name, person_data.kind)

    @strawberry.mutation
    async def read_files(self, files: list[Upload], title: str) -> str:
        return title + ": " + ",".join([(await file.read()).decode() for file in files])


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def count_up(self, last_value: int = 3) -> AsyncGenerator[int, None]:
        for value in range(1, last_value + 1):
            yield value


@strawberry.type
class Report:
    title: str

    @strawberry.field
    async def body(self) -> str:
        await asyncio.sleep(0.2)
        return "long"


@strawberry.type
class IncrementalQuery:
    @strawberry.field
    def report(self) -> Report:
        return Report(title="Numbers")

    @strawberry.field
    async def numbers(self) -> strawberry.Streamable[int]:
        for value in range(4):
            await asyncio.sleep(0.05)
            yield value


def app(**config):
    schema = strawberry.Schema(
        Query, Mutation, Subscription, types=[Person, Robot], config=StrawberryConfig(**config)
    )
    return GraphQL(
        schema,
        multipart_uploads_enabled=True,
        subscription_protocols=[
            GRAPHQL_TRANSPORT_WS_PROTOCOL,
            GRAPHQL_WS_PROTOCOL,
            GRAPHQL_SSE_PROTOCOL,
            MULTIPART_SUBSCRIPTION_PROTOCOL,
        ],
    )


incremental = strawberry.Schema(
    IncrementalQuery, config=StrawberryConfig(enable_experimental_incremental_execution=True)
)

serve(
    Starlette(
        routes=[
            Mount("/camel", app()),
            Mount("/snake", app(auto_camel_case=False)),
            Mount("/incremental", GraphQL(incremental)),
        ]
    )
)
