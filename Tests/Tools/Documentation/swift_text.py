"""Finds string literals and the names of tests in Swift sources."""
import re

TOKEN = re.compile(r'//[^\n]*|/\*|(#*)("""|")|#/.*?/#|[()]', re.S)
# Keywords of SQL are in capitals; a column list has words and commas only.
SQL = re.compile(
    r"\b(?:SELECT|INSERT|UPDATE|DELETE FROM|CREATE|DROP|ALTER|PRAGMA|BEGIN|WHERE|ORDER BY|VALUES|DEFAULT"
    r"|DESC|AND|CASE WHEN|RETURNING|ADD COLUMN)\b|^[\s\0]*\w+(?:\s*,\s*[\w.\0]+)+\s*$")
ESCAPED = {"n": " ", "t": " ", "r": " ", "0": " ", "\n": " \n", "u": "\0"}


class Lexer:
    """The literals of a text, by their places. A NUL is in place of an interpolation, which is code."""

    def __init__(self, text):
        self.text, self.literals = text, []
        # The text without comments and literals, with the same lines and places.
        self.code = list(text)
        self.read_code(0, False)
        self.literals.sort()

    def hide(self, start, end):
        self.code[start:end] = [char if char == "\n" else " " for char in self.text[start:end]]

    def read_code(self, place, in_literal):
        """Reads to the end, or to the parenthesis that closes an interpolation; returns the place behind it."""
        depth = 0
        while match := TOKEN.search(self.text, place):
            token, place = match.group(), match.end()
            if token == "(":
                depth += 1
            elif token == ")":
                depth -= 1
                if in_literal and depth < 0:
                    return place
            elif token == "/*":
                place = self.end_of_comment(place)
                self.hide(match.start(), place)
            elif match[2]:
                place = self.read_literal(match.start(), place, *match.groups())
            else:
                self.hide(match.start(), place)
        return len(self.text)

    def end_of_comment(self, place):
        depth = 1
        while depth and (match := re.compile(r"/\*|\*/").search(self.text, place)):
            depth += 1 if match.group() == "/*" else -1
            place = match.end()
        return len(self.text) if depth else place

    def read_literal(self, start, place, hashes, quote):
        end, escape = quote + hashes, "\\" + hashes
        token = re.compile(rf"{re.escape(end)}|{re.escape(escape)}", re.S)
        content = ""
        inner = []
        while match := token.search(self.text, place):
            content += self.text[place:match.start()]
            place = match.end()
            if match.group() == end:
                break
            char = self.text[place:place + 1]
            behind = self.read_code(place + 1, True) if char == "(" else place + 1
            if char == "(":
                inner.append((place + 1, behind - 1))
                content += "\0" + "\n" * self.text.count("\n", place, behind)
            else:
                content += ESCAPED.get(char, char)
            place = behind
        else:
            place = len(self.text)
        kept = [(a, b, self.code[a:b]) for a, b in inner]
        self.hide(start, place)
        for a, b, code in kept:
            self.code[a:b] = code
        self.literals.append((start, place, content))
        return place


def strings(text):
    """The text literals with their lines, from 0. Literals that are added to each other are one."""
    found = []
    for start, end, content in Lexer(text).literals:
        between = text[found[-1][1]:start] if found else "-"
        if re.fullmatch(r"\s*\+\s*", between):
            found[-1] = (found[-1][0], end, found[-1][2] + "\n" * between.count("\n") + content)
        else:
            found.append((start, end, content))
    for start, _, content in found:
        # SQL, and a name or a code, is not prose.
        if re.search(r"\S\s+\S", content) and not SQL.search(content):
            yield text.count("\n", 0, start), re.sub(r"^[ \t]+", "", content, flags=re.M)


def spoken(name):
    """The words of a name in camel case, as a sentence."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_", " ", name.strip("`")).split()
    sentence = " ".join(word if word.isupper() else word.lower() for word in words)
    return sentence[:1].upper() + sentence[1:]


def test_names(text):
    """The names of tests and suites with their lines, from 0, as sentences."""
    lexer = Lexer(text)
    code = "".join(lexer.code)
    literals = {start: content for start, _, content in lexer.literals}
    for match in re.finditer(r"@(Test|Suite)\b\s*(\()?", code):
        place = match.end() + len(text[match.end():]) - len(text[match.end():].lstrip())
        if match[2] and place in literals:
            yield text.count("\n", 0, place), literals[place]
        kind = "func" if match[1] == "Test" else "struct|class|actor|enum|extension"
        if name := re.compile(rf"\b(?:{kind})\s+(`[^`]+`|\w+)").search(code, match.end()):
            yield text.count("\n", 0, name.start(1)), spoken(name[1])
