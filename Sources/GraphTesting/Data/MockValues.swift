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

/// Generated text, plausible for the names of field and type.
enum MockText {
  static func text(for field: String, of typeName: String, _ key: UInt64) -> String {
    switch field.lowercased() {
    case "title", "caption", "alttext": words(key)
    case "name", "displayname", "fullname":
      isPerson(typeName) ? "\(first(key)) \(last(key))" : words(key)
    case "firstname": first(key)
    case "lastname": last(key)
    case "author": "\(first(key)) \(last(key))"
    case "email": email(key)
    case "phone": "+1 555 01\(key / 10 % 10)\(key % 10)"
    case "company", "vendor", "brand": "\(last(key)) & \(last(key / 7 + 1))"
    case "address1", "street": "\(key % 98 + 1) \(last(key)) Street"
    case "address2": "Flat \(key % 40 + 1)"
    case "city": cities.chosen(by: key)
    case "zip", "postalcode": String(10_000 + key % 89_999)
    case "province", "state", "region": regions.chosen(by: key)
    case "country": "Germany"
    case "login", "username": first(key).lowercased() + String(key % 100)
    case "handle", "slug", "key": slug(key)
    case "namespace": "custom"
    case "sku": "SKU-\(key % 90_000 + 10_000)"
    case "url", "uri", "self", "link": page(key)
    case "description", "summary", "body", "bio", "note", "message", "content", "text":
      sentence(key)
    case "lastdigits": String(1_000 + key % 9_000)
    case "hash", "token", "checksum": String(key, radix: 16)
    case "cursor", "startcursor", "endcursor": "cursor-\(key % 100)"
    case let name where name.hasSuffix("email"): email(key)
    case let name where name.hasSuffix("url"): page(key)
    case let name where name.hasSuffix("name"): words(key)
    case let name where name.hasSuffix("html"): "<p>\(sentence(key))</p>"
    default: words(key)
    }
  }

  static func words(_ key: UInt64) -> String {
    "\(adjectives.chosen(by: key)) \(nouns.chosen(by: key / 16))"
  }

  static func sentence(_ key: UInt64) -> String {
    let noun = nouns.chosen(by: key / 16).lowercased()
    let other = nouns.chosen(by: key / 256).lowercased()
    return "\(adjectives.chosen(by: key)) \(noun), made to go with any \(other)."
  }

  static func email(_ key: UInt64) -> String {
    "\(first(key).lowercased()).\(last(key).lowercased())@mail.example"
  }

  static func page(_ key: UInt64) -> String { "https://shop.example/\(slug(key))" }

  static func image(_ key: UInt64) -> String { "https://cdn.example/\(slug(key)).jpg" }

  static func isImage(_ field: String, _ typeName: String) -> Bool {
    let names = (field + typeName).lowercased()
    return names.contains("image") || names.contains("avatar") || names.contains("picture")
  }

  private static func slug(_ key: UInt64) -> String {
    let noun = nouns.chosen(by: key / 16).lowercased()
    return "\(adjectives.chosen(by: key).lowercased())-\(noun)-\(key % 1_000)"
  }

  private static func isPerson(_ typeName: String) -> Bool {
    ["Customer", "User", "Person", "Author", "Address", "Contact", "Member"].contains {
      typeName.hasSuffix($0)
    }
  }

  private static func first(_ key: UInt64) -> String { firstNames.chosen(by: key) }
  private static func last(_ key: UInt64) -> String { lastNames.chosen(by: key / 16) }

  private static let adjectives = [
    "Amber", "Brass", "Calm", "Dapper", "Early", "Fine", "Golden", "Hazel", "Ivory", "Jade",
    "Light", "Mellow", "Northern", "Olive", "Plain", "Quiet",
  ]
  private static let nouns = [
    "Atlas", "Basket", "Candle", "Desk", "Easel", "Flask", "Globe", "Hammock", "Kettle", "Lamp",
    "Mirror", "Notebook", "Pillow", "Quilt", "Rug", "Stool",
  ]
  private static let firstNames = [
    "Ada", "Bruno", "Clara", "David", "Elif", "Farid", "Grace", "Hugo", "Ines", "Jonas", "Keiko",
    "Liam", "Mina", "Noor", "Otto", "Priya",
  ]
  private static let lastNames = [
    "Abel", "Becker", "Costa", "Dubois", "Eriksen", "Fischer", "Garcia", "Hansen", "Ivanova",
    "Jensen", "Kaya", "Lopez", "Moreau", "Novak", "Okafor", "Patel",
  ]
  private static let cities = ["Aarhus", "Bergen", "Cork", "Dresden", "Ghent", "Lyon", "Porto"]
  private static let regions = ["Bavaria", "Brittany", "Cornwall", "Galicia", "Jutland", "Tyrol"]
}

/// A hash that is the same in every process and on every machine, unlike `Hasher`'s.
struct MockHash {
  private(set) var value: UInt64

  init(_ seed: UInt64) { value = seed ^ 0xCBF2_9CE4_8422_2325 }

  /// FNV-1a over the bytes.
  mutating func combine(_ text: String) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // Marks the end of the text, so that "a", "bc" and "ab", "c" differ.
    value = (value ^ 0xFF) &* 0x100_0000_01B3
  }

  mutating func combine(_ number: UInt64) {
    value = (value ^ number) &* 0x9E37_79B9_7F4A_7C15
    value ^= value >> 29
  }

  /// A hash of 48 bits whose low bits depend on all of the input (SplitMix64's last steps).
  var key: UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return (mixed ^ (mixed >> 31)) & 0xFFFF_FFFF_FFFF
  }

  static func key(_ seed: UInt64, _ text: String, _ index: Int? = nil) -> UInt64 {
    var hash = MockHash(seed)
    hash.combine(text)
    if let index { hash.combine(UInt64(index) &+ 1) }
    return hash.key
  }
}

extension RandomAccessCollection {
  /// The element that a hash selects; the collection must not be empty.
  func chosen(by hash: UInt64) -> Element {
    self[index(startIndex, offsetBy: Int(hash % UInt64(count)))]
  }
}
