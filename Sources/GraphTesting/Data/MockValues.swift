import GraphJSON
import GraphQLSchema

/// Generated values of scalars, plausible for the names of field and type.
enum MockValues {
  static func scalar(_ scalar: String, field: String, of typeName: String, _ key: UInt64) -> JSON {
    switch scalar {
    case "Int": JSON(MockNumbers.int(field, key))
    case "Float": decimal(MockNumbers.cents(key)).map(JSON.number) ?? 0
    case "Boolean": .bool(key % 2 == 0)
    case "String": .string(MockText.text(for: field, of: typeName, key))
    case "ID": .string(MockID(typeName: typeName, key: key).text)
    default: custom(scalar.lowercased(), field, typeName, key)
    }
  }

  /// Custom scalars by their usual names; others are strings.
  private static func custom(
    _ scalar: String, _ field: String, _ typeName: String, _ key: UInt64
  ) -> JSON {
    switch scalar {
    case "datetime", "iso8601datetime", "timestamp", "gittimestamp":
      .string("\(date(key))T\(time(key))Z")
    case "date", "localdate", "iso8601date": .string(date(key))
    case "time", "localtime": .string(time(key))
    case "url", "uri":
      .string(MockText.isImage(field, typeName) ? MockText.image(key) : MockText.page(key))
    case "decimal", "bigdecimal", "money": .string(MockNumbers.price(key))
    case "bigint", "long", "int64", "unsignedint64", "biginteger":
      .string(String(key % 10_000_000_000))
    case "json", "jsonobject", "jsonstring":
      scalar == "jsonstring" ? .string(json(key).description) : json(key)
    case "html": .string("<p>\(MockText.sentence(key))</p>")
    case "formattedstring": .string(MockText.sentence(key))
    case "email", "emailaddress": .string(MockText.email(key))
    case "uuid": .string(uuid(key))
    case "color", "colour": .string("#" + hexadecimal(key, digits: 6))
    case "gitobjectid": .string(hexadecimal(key, digits: 40))
    case "base64string": .string("bW9jaw==")
    default: .string(MockText.text(for: field, of: typeName, key))
    }
  }

  private static func json(_ key: UInt64) -> JSON {
    ["label": .string(MockText.words(key)), "value": JSON(key % 100)]
  }

  private static func decimal(_ cents: UInt64) -> JSON.Number? {
    JSON.Number(Double(cents) / 100)
  }

  /// A day from 2023 to 2025 that exists in every month.
  private static func date(_ key: UInt64) -> String {
    "\(2023 + key % 3)-\(padded(key / 3 % 12 + 1))-\(padded(key / 36 % 28 + 1))"
  }

  private static func time(_ key: UInt64) -> String {
    "\(padded(key % 24)):\(padded(key / 24 % 60)):\(padded(key / 1440 % 60))"
  }

  private static func padded(_ number: UInt64) -> String {
    number < 10 ? "0\(number)" : String(number)
  }

  /// A UUID with the version bits of version 4.
  private static func uuid(_ key: UInt64) -> String {
    let digits = Array(hexadecimal(key, digits: 32))
    return "\(String(digits[0..<8]))-\(String(digits[8..<12]))-4\(String(digits[13..<16]))-a"
      + "\(String(digits[17..<20]))-\(String(digits[20..<32]))"
  }

  private static func hexadecimal(_ key: UInt64, digits: Int) -> String {
    var text = ""
    var part = 0
    while text.count < digits {
      let hash = String(MockHash.key(key, "hex", part), radix: 16)
      text += String(repeating: "0", count: 12 - hash.count) + hash
      part += 1
    }
    return String(text.prefix(digits))
  }
}

/// Generated numbers.
enum MockNumbers {
  static func int(_ field: String, _ key: UInt64) -> Int {
    let field = field.lowercased()
    if field.hasSuffix("quantity") { return Int(key % 5) + 1 }
    if field.hasSuffix("width") || field.hasSuffix("height") { return Int(key % 20 + 4) * 80 }
    if field.hasSuffix("count") { return Int(key % 50) }
    if field.hasSuffix("number") { return Int(key % 9_000) + 1_000 }
    if field.hasSuffix("year") { return Int(key % 30) + 1996 }
    if field.hasSuffix("month") || field.hasSuffix("months") { return Int(key % 12) + 1 }
    return Int(key % 1_000)
  }

  static func cents(_ key: UInt64) -> UInt64 { key % 20_000 + 100 }

  static func price(_ key: UInt64) -> String {
    let cents = cents(key)
    return "\(cents / 100).\(cents % 100 / 10)\(cents % 10)"
  }
}
