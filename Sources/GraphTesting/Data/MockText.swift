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
