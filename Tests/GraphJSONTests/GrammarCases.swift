/// JSON texts that RFC 8259 allows or forbids, with one table per production. Written for this
/// suite.
enum GrammarCases {
  static let accepted: [(text: String, about: String)] =
    literals + numbers + strings + arrays + objects + whitespace

  private static let literals = [
    ("null", "null"), ("true", "true"), ("false", "false"),
    ("[null,true,false]", "all three in an array"), ("{\"a\":null}", "null member"),
  ]

  private static let numbers = [
    ("0", "zero"), ("-0", "negative zero"), ("7", "one digit"), ("-7", "negative"),
    ("1234567890", "all digits"), ("10", "zero after a digit"), ("0.0", "zero fraction"),
    ("0.5", "fraction"), ("-0.5", "negative fraction"), ("1.000", "trailing zeros"),
    ("1e5", "exponent"), ("1E5", "capital exponent"), ("1e+5", "positive exponent"),
    ("1e-5", "negative exponent"), ("1.5e10", "fraction and exponent"), ("0e0", "zero exponent"),
    ("0e+1", "zero, positive exponent"), ("1e00", "exponent with leading zeros"),
    ("-1.25E-002", "everything at once"), ("1e400", "beyond Double"), ("1e-400", "below Double"),
    ("123456789012345678901234567890", "30 digits"), ("0.000000000000000000000000001", "small"),
    ("9223372036854775808", "beyond Int64"), ("[1,2.5,-3e2]", "in an array"), ("1 ", "space after"),
  ]

  private static let strings = [
    ("\"\"", "empty"), ("\"a\"", "one letter"), ("\"1234567\"", "seven bytes"),
    ("\"12345678\"", "eight bytes"), ("\"123456789\"", "nine bytes"),
    ("\"1234567890123456\"", "sixteen bytes"), ("\"a b\"", "space"), ("\" \"", "only a space"),
    (#""\"""#, "escaped quote"), (#""\\""#, "escaped backslash"), (#""\/""#, "escaped slash"),
    (#""\b\f\n\r\t""#, "short escapes"), (#""\u0041""#, "unicode escape"),
    (#""\u00e9\u00E9""#, "hex digits of both cases"), (#""\u0000""#, "escaped NUL"),
    (#""\u001f""#, "escaped control"), (#""\uD83D\uDE00""#, "surrogate pair"),
    (#""\ud800\udc00""#, "lowest pair"), (#""\udbff\udfff""#, "highest pair"),
    (#""\ud7ff\ue000""#, "around the surrogates"), (#""\uFFFF\uFFFE""#, "noncharacters"),
    (#""\uFEFF""#, "escaped byte order mark"), (#""\\u0041""#, "backslash, then text"),
    (#""\\\\""#, "two backslashes"), (#""\\\"""#, "backslash and quote"),
    ("\"/\"", "bare slash"), ("\"\u{7F}\"", "DEL"), ("\"é\"", "two bytes"),
    ("\"€\"", "three bytes"),
    ("\"😀\"", "four bytes"), ("\"\u{80}\"", "lowest of two bytes"),
    ("\"\u{7FF}\"", "highest of two"),
    ("\"\u{800}\"", "lowest of three bytes"), ("\"\u{FFFF}\"", "highest of three"),
    ("\"\u{D7FF}\u{E000}\"", "around the surrogates"), ("\"\u{10000}\"", "lowest of four bytes"),
    ("\"\u{10FFFF}\"", "highest scalar"), ("\"\u{2028}\u{2029}\"", "line separators"),
    ("\"\u{FEFF}\"", "byte order mark inside"), ("\"日本語テキスト\"", "a run of three bytes"),
    ("\"aé€😀z\"", "all lengths"), ("\"{}[]:,\"", "punctuation"), ("\"'\"", "apostrophe"),
    ("\"1234567é\"", "non-ASCII over a word's end"), (#""1234567\n""#, "escape over a word's end"),
    ("\"// no comment\"", "looks like a comment"),
  ]

  private static let arrays = [
    ("[]", "empty"), ("[[]]", "nested"), ("[[],[]]", "two empty"), ("[1]", "one"), ("[1,2]", "two"),
    ("[[[[[[[[1]]]]]]]]", "deep"), ("[{}]", "object inside"), ("[\"\"]", "empty string"),
    ("[1,\"a\",null,true,{},[]]", "all kinds"), ("[1 , 2]", "spaces around the comma"),
    ("[ ]", "space inside"), ("[\n1\n]", "line breaks"),
  ]

  private static let objects = [
    ("{}", "empty"), ("{\"a\":1}", "one member"), ("{\"a\":1,\"b\":2}", "two members"),
    ("{\"\":0}", "empty key"), ("{\"a\":{\"a\":{}}}", "nested"), ("{\"a\":[]}", "array inside"),
    ("{\"a\":1,\"a\":2}", "duplicate key"), ("{\"a\":1,\"a\":1}", "duplicate member"),
    (#"{"\u0061":1}"#, "escape in a key"), ("{\"é\":1}", "non-ASCII key"),
    ("{ \"a\" : 1 , \"b\" : 2 }", "spaces everywhere"), ("{ }", "space inside"),
    ("{\"a\\u0000b\":1}", "NUL in a key"), ("{\"__proto__\":{}}", "a key other languages fear"),
    ("{\"a\":\"b\"}", "string member"), ("{\"a\":-1.5}", "number member"),
  ]

  private static let whitespace = [
    (" 1", "space before"), ("\t1", "tab before"), ("\n1", "line feed before"),
    ("\r1", "carriage return before"), ("1\n", "line feed after"), ("\r\n1\r\n", "CR LF"),
    (" \t\r\n [ \t\r\n ] \t\r\n ", "all of it"),
    ("                 1", "more than two words of spaces"),
    ("{\n        \"a\"        :\n        1\n}", "indented"),
  ]

  static let rejected: [(text: String, about: String)] =
    noValue + badLiterals + badNumbers + badStrings + badArrays + badObjects + badWhitespace

  private static let noValue = [
    ("", "nothing"), (" ", "only a space"), ("\n\n", "only line breaks"), ("\0", "NUL"),
    ("\u{FEFF}", "only a byte order mark"), ("\u{FEFF}1", "byte order mark"),
    ("<html>", "HTML"), ("é", "a letter"), ("*", "a star"), ("// 1", "comment"),
    ("/* */ 1", "block comment"), ("# 1", "hash comment"), (":", "colon"), (",", "comma"),
    ("}", "closing brace"), ("]", "closing bracket"), ("\\u005b]", "escape outside a string"),
  ]

  private static let badLiterals = [
    ("nul", "cut null"), ("nulll", "longer null"), ("Null", "capital"), ("NULL", "capitals"),
    ("tru", "cut true"), ("True", "capital"), ("truefalse", "two in one"), ("fals", "cut false"),
    ("falsey", "longer false"), ("undefined", "undefined"), ("nan", "nan"), ("NaN", "NaN"),
    ("Infinity", "Infinity"), ("-Infinity", "negative Infinity"), ("[nul]", "cut in an array"),
    ("n", "one letter"), ("t", "one letter"), ("f", "one letter"), ("nu\0l", "NUL inside"),
  ]

  private static let badNumbers = [
    ("-", "only a sign"), ("+1", "plus sign"), ("01", "leading zero"), ("-01", "leading zero"),
    ("00", "two zeros"), ("1.", "no fraction"), (".5", "no integer"), ("-.5", "no integer"),
    ("1.e5", "no fraction before the exponent"), ("1e", "no exponent"), ("1e+", "no exponent"),
    ("1e-", "no exponent"), ("1E", "no exponent"), ("1e5.5", "fractional exponent"),
    ("1e5e5", "two exponents"), ("1.2.3", "two fractions"), ("--1", "two signs"),
    ("0x10", "hexadecimal"), ("0b1", "binary"), ("1_000", "underscore"), ("1,000", "comma"),
    ("1a", "letter"), ("1 2", "two numbers"), ("- 1", "space after the sign"), ("1e 5", "space"),
    ("1. 5", "space"), ("２", "full-width digit"), ("1\0", "NUL after"), ("0e", "zero, no exponent"),
    ("[-]", "sign in an array"), ("[1.]", "no fraction in an array"), ("∞", "infinity sign"),
    ("1f", "suffix"), ("$1", "currency"), ("1-2", "sign inside"), ("-+1", "two signs"),
  ]

  private static let badStrings = [
    ("\"", "only a quote"), ("\"a", "not closed"), ("a\"", "not opened"), ("'a'", "apostrophes"),
    ("\"a\"b", "text after"), ("\"\"\"", "three quotes"), (#""\""#, "escape swallows the end"),
    (#""\a""#, "unknown escape"), (#""\'""#, "escaped apostrophe"), (#""\x41""#, "hex escape"),
    (#""\0""#, "octal escape"), (#""\ ""#, "escaped space"), (#""\U0041""#, "capital u"),
    (#""\u""#, "no digits"), (#""\u1""#, "one digit"), (#""\u12""#, "two digits"),
    (#""\u123""#, "three digits"), (#""\u12g4""#, "not hexadecimal"), (#""\u+123""#, "sign"),
    (#""\u{41}""#, "braces"), (#""\ud800""#, "high surrogate alone"),
    (#""\udc00""#, "low surrogate alone"), (#""\ud800a""#, "high surrogate, letter"),
    (#""\ud800\n""#, "high surrogate, escape"), (#""\ud800\u0041""#, "high surrogate, letter"),
    (#""\ud800\ud800""#, "two high surrogates"), (#""\udc00\ud800""#, "pair turned round"),
    (#""\ud83d\ude0""#, "pair cut short"), ("\"a\nb\"", "line feed"), ("\"a\rb\"", "return"),
    ("\"a\tb\"", "tab"), ("\"\0\"", "NUL"), ("\"\u{1}\"", "lowest control but one"),
    ("\"\u{1F}\"", "highest control"), ("\"1234567\u{1F}\"", "control over a word's end"),
    ("\"\\\u{0}\"", "escaped raw NUL"), ("\"\\\né\"", "line continuation"),
    ("\"\\é\"", "escaped é"),
    ("“a”", "typographic quotes"), ("`a`", "backticks"), ("\"\\", "backslash at the end"),
  ]

  private static let badArrays = [
    ("[", "not closed"), ("]", "not opened"), ("[1", "not closed"), ("[1,", "not closed"),
    ("[1,]", "comma at the end"), ("[,1]", "comma at the start"), ("[,]", "only a comma"),
    ("[1,,2]", "two commas"), ("[1 2]", "no comma"), ("[1}", "wrong bracket"),
    ("[1]]", "closed twice"), ("[[1]", "one not closed"), ("[\"a\":1]", "member in an array"),
    ("[1;2]", "semicolon"), ("[]a", "text after"), ("[][]", "two arrays"), ("[1],", "comma after"),
    ("[...]", "dots"), ("[\"a\"\"b\"]", "no comma between strings"), ("[{]", "crossed"),
    ("[{]}", "crossed"), ("[[[[[[[[", "only openings"),
  ]

  private static let badObjects = [
    ("{", "not closed"), ("{\"a\"", "key only"), ("{\"a\":", "no value"),
    ("{\"a\":1", "not closed"),
    ("{\"a\":1,", "not closed"), ("{\"a\":1,}", "comma at the end"), ("{,}", "only a comma"),
    ("{,\"a\":1}", "comma at the start"), ("{\"a\"}", "no value"), ("{\"a\":}", "no value"),
    ("{\"a\",1}", "comma for colon"), ("{\"a\" 1}", "no colon"), ("{\"a\"::1}", "two colons"),
    ("{\"a\":1 \"b\":2}", "no comma"), ("{\"a\":1,,\"b\":2}", "two commas"), ("{a:1}", "bare key"),
    ("{'a':1}", "apostrophes"), ("{1:1}", "number key"), ("{null:1}", "null key"),
    ("{[]:1}", "array key"), ("{\"a\":1]", "wrong bracket"), ("{\"a\":1}}", "closed twice"),
    ("{\"a\":1}{}", "two objects"), ("{\"a\":1}#", "text after"), ("{\"a\"=1}", "equals sign"),
    ("{\"a\":1;\"b\":2}", "semicolon"), ("{:1}", "no key"), ("{\"a\":b}", "bare value"),
    ("{\"a\":\"b}", "string not closed"), ("{\"a:1}", "key not closed"), ("{{}}", "object as key"),
    ("{\"a\":1,\"b\"}", "second without a value"), ("{}\n{}", "one per line"),
  ]

  private static let badWhitespace = [
    ("\u{A0}1", "no-break space"), ("\u{B}1", "vertical tab"), ("\u{C}1", "form feed"),
    ("1\u{C}", "form feed after"), ("[1\u{2028}]", "line separator"), ("\u{3000}1", "wide space"),
    ("[1,\u{200B}2]", "zero-width space"), ("[\u{2060}]", "word joiner"),
    ("1\u{FEFF}", "mark after"),
    ("[\u{8}1]", "backspace"), ("1\u{1A}", "end of file mark"), ("\u{1}1", "control before"),
  ]

  /// Bytes that are not UTF-8, at a place in a string where a character is allowed.
  static let malformedUTF8: [(bytes: [UInt8], about: String)] = [
    ([0x80], "continuation alone"), ([0xBF], "continuation alone"), ([0xC0, 0x80], "overlong NUL"),
    ([0xC1, 0xBF], "overlong of two"), ([0xC2], "cut short"), ([0xC3, 0x41], "no continuation"),
    ([0xC3, 0xC3], "two leads"), ([0xE0, 0x80, 0x80], "overlong of three"),
    ([0xE0, 0x9F, 0xBF], "highest overlong of three"), ([0xE2, 0x82], "cut short"),
    ([0xE2], "cut shorter"), ([0xE2, 0x28, 0xA1], "second byte wrong"),
    ([0xE2, 0x82, 0x28], "third byte wrong"), ([0xED, 0xA0, 0x80], "lowest surrogate"),
    ([0xED, 0xBF, 0xBF], "highest surrogate"), ([0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], "CESU pair"),
    ([0xF0, 0x80, 0x80, 0x80], "overlong of four"), ([0xF0, 0x8F, 0xBF, 0xBF], "highest overlong"),
    ([0xF0, 0x9F, 0x98], "cut short"), ([0xF0, 0x28, 0x8C, 0xBC], "second byte wrong"),
    ([0xF0, 0x90, 0x28, 0xBC], "third byte wrong"),
    ([0xF0, 0x90, 0x8C, 0x28], "fourth byte wrong"),
    ([0xF4, 0x90, 0x80, 0x80], "beyond U+10FFFF"), ([0xF5, 0x80, 0x80, 0x80], "lead too large"),
    ([0xF8, 0x88, 0x80, 0x80, 0x80], "five bytes"), ([0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], "six"),
    ([0xFE], "no lead"), ([0xFF], "no lead"), ([0xC3, 0xA9, 0x80], "one continuation too many"),
  ]
}
