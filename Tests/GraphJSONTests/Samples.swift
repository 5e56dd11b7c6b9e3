import GraphJSON

/// Texts that several suites share.
enum Samples {
  /// Every production once, in a text that is short enough to change every byte of it.
  static let small = #"""
    {"data":{"shop":{"name":"Caf\u00e9 \"Größe\" 東京 😀","id":"gid:\/\/shop\/1"},
      "n":[0,-1,12.50,3e8,-4.5E-2,true,false,null,"",{}, []],"\ud83d\ude00":"\\\n\t"} }
    """#

  static func accepts(_ bytes: [UInt8]) -> Bool { (try? JSONDocument(parsing: bytes)) != nil }

  /// A compact response of a shop, of about `byteCount` bytes.
  static func response(byteCount: Int) -> String {
    var nodes: [String] = []
    var size = 0
    while size < byteCount {
      let number = nodes.count
      let node = #"""
        {"__typename":"Product","id":"gid://shopify/Product/\#(number * 7919)","title":"Caf\u00e9 hat \#(number)","handle":"hat-\#(number)","availableForSale":true,"totalInventory":\#(number % 97),"vendor":null,"description":"A “soft” hat of linen, for \"slim\" heads: light, blue, \#(number) grams.","priceRange":{"minVariantPrice":{"amount":"\#(number).00","currencyCode":"CAD"}},"images":{"nodes":[{"url":"https://cdn.shopify.com/s/files/1/\#(number)/hat.jpg?v=1","width":1024,"height":768,"altText":null}]},"tags":["new","sale"]}
        """#
      nodes.append(node)
      size += node.utf8.count + 1
    }
    return "{\"data\":{\"products\":{\"nodes\":[" + nodes.joined(separator: ",") + "]}}}"
  }
}
