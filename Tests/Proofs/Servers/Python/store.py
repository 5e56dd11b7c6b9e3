"""The small schema of the client's test fixture, served by strawberry, with features that ariadne lacks."""
import asyncio
from typing import Annotated, AsyncGenerator, Optional

import strawberry
from strawberry.asgi import GraphQL
from strawberry.file_uploads import Upload
from strawberry.schema.config import StrawberryConfig
from strawberry.subscriptions import (
    GRAPHQL_SSE_PROTOCOL,
    GRAPHQL_TRANSPORT_WS_PROTOCOL,
    MULTIPART_SUBSCRIPTION_PROTOCOL,
)


@strawberry.interface
class Node:
    id: strawberry.ID


@strawberry.type
class Shop(Node):
    name: str
    legacy__id: Optional[str] = strawberry.field(name="legacy__id", default=None)
    employees: Optional[int] = None

    @strawberry.field
    def tags(
        self,
        language: Annotated[Optional[str], strawberry.argument(name="in")] = strawberry.UNSET,
        first: Optional[int] = None,
    ) -> list[str]:
        said = {strawberry.UNSET: "absent", None: "null"}.get(language, language)
        return [said] * (first or 1)


SHOP = Shop(id=strawberry.ID("1"), name="Shoes", legacy__id="7", employees=12)


@strawberry.type
class QueryRoot:
    @strawberry.field
    def shop(self) -> Shop:
        return SHOP

    @strawberry.field
    async def node(self, id: strawberry.ID) -> Optional[Node]:
        await asyncio.sleep(0.01)
        return SHOP if id == "1" else None


@strawberry.type
class Mutation:
    @strawberry.mutation
    def rename(self, name: str) -> Optional[Shop]:
        return Shop(id=strawberry.ID("1"), name=name)

    @strawberry.mutation
    async def attach(self, file: Upload, note: Optional[str] = None) -> Optional[Shop]:
        content = await file.read()
        return Shop(id=strawberry.ID("1"), name=f"{file.filename} {len(content)} {sum(content)}")


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def tick(
        self, start: Annotated[Optional[int], strawberry.argument(name="from")] = 0
    ) -> AsyncGenerator[int, None]:
        for value in range(start or 0, (start or 0) + 3):
            await asyncio.sleep(0.01)
            yield value


schema = strawberry.Schema(
    query=QueryRoot,
    mutation=Mutation,
    subscription=Subscription,
    types=[Shop],
    config=StrawberryConfig(
        batching_config={"max_operations": 10}, enable_experimental_incremental_execution=True
    ),
)
app = GraphQL(
    schema,
    multipart_uploads_enabled=True,
    subscription_protocols=[
        GRAPHQL_SSE_PROTOCOL,
        GRAPHQL_TRANSPORT_WS_PROTOCOL,
        MULTIPART_SUBSCRIPTION_PROTOCOL,
    ],
)
