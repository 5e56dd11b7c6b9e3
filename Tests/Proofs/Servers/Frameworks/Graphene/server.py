"""Graphene, in Relay's style."""
import datetime
import decimal
import uuid

import graphene
from graphene import relay
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette_graphene3 import GraphQLApp

from serving import serve


class Upload(graphene.Scalar):
    @staticmethod
    def parse_value(value):
        return value


class Genre(graphene.Enum):
    SCIENCE_FICTION = 1
    NOVEL = 2


class Book(graphene.ObjectType):
    class Meta:
        interfaces = (relay.Node,)

    title = graphene.String(required=True)
    genre = graphene.Field(Genre)
    published_on = graphene.Date()
    added_at = graphene.DateTime()
    opens_at = graphene.Time()
    price = graphene.Decimal()
    barcode = graphene.UUID()
    metadata = graphene.JSONString()
    size = graphene.BigInt()
    related_books = relay.ConnectionField(lambda: BookConnection)

    def resolve_related_books(self, info, **arguments):
        return [book for book in BOOKS if book.id != self.id]

    @classmethod
    def get_node(cls, info, id):
        return next((book for book in BOOKS if book.id == id), None)


class BookConnection(relay.Connection):
    class Meta:
        node = Book

    class Edge:
        note = graphene.String()

        def resolve_note(self, info):
            return "an edge"


class Author(graphene.ObjectType):
    name = graphene.String()


class SearchResult(graphene.Union):
    class Meta:
        types = (Book, Author)


BOOKS = [
    Book(
        id=str(number),
        title=f"Book {number}",
        genre=Genre.SCIENCE_FICTION,
        published_on=datetime.date(1961, 4, 12),
        added_at=datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc),
        opens_at=datetime.time(9, 30),
        price=decimal.Decimal("12.30"),
        barcode=uuid.UUID(int=number),
        metadata={"pages": 300 + number},
        size=2**40,
    )
    for number in range(1, 6)
]


class Query(graphene.ObjectType):
    node = relay.Node.Field()
    books = relay.ConnectionField(BookConnection, genre=Genre())
    search = graphene.List(graphene.NonNull(SearchResult), text=graphene.String(required=True))
    broken = graphene.String()

    def resolve_books(self, info, genre=None, **arguments):
        return [book for book in BOOKS if genre in (None, book.genre)]

    def resolve_search(self, info, text):
        return [BOOKS[0], Author(name=text)]

    def resolve_broken(self, info):
        raise ValueError("The shelf is broken.")


class AddBook(relay.ClientIDMutation):
    class Input:
        title = graphene.String(required=True)
        genre = Genre(default_value=Genre.NOVEL)

    book = graphene.Field(Book)

    @classmethod
    def mutate_and_get_payload(cls, root, info, title, genre, client_mutation_id=None):
        return AddBook(book=Book(id="9", title=title, genre=genre))


class AddCover(graphene.Mutation):
    class Arguments:
        file = Upload(required=True)

    size = graphene.Int()

    async def mutate(self, info, file):
        return AddCover(size=len(await file.read()))


class Mutation(graphene.ObjectType):
    add_book = AddBook.Field()
    add_cover = AddCover.Field()


class Subscription(graphene.ObjectType):
    page_turned = graphene.Int(to=graphene.Int(required=True))

    async def subscribe_page_turned(self, info, to):
        for page in range(to):
            yield page


schema = graphene.Schema(Query, Mutation, Subscription, types=[Author])
serve(Starlette(routes=[Mount("/graphql", GraphQLApp(schema))]))
