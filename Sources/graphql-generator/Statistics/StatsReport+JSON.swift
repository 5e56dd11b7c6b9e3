import GraphJSON

extension StatsReport {
  var json: JSON {
    var members: JSON.Object = ["schema": schema.json, "whole": whole.json]
    members["pruned"] = pruned?.json
    return .object(members)
  }
}

extension StatsReport.Pruned {
  fileprivate var json: JSON {
    [
      "keptTypes": JSON(keptTypes), "droppedTypes": JSON(droppedTypes),
      "keptFields": JSON(keptFields), "droppedFields": JSON(droppedFields), "code": code.json,
    ]
  }
}

extension CodeFigures {
  fileprivate var json: JSON {
    [
      "files": JSON(files), "lines": JSON(lines), "bytes": JSON(bytes),
      "functions": JSON(functions), "debugSeconds": Self.json(debugSeconds),
      "releaseSeconds": Self.json(releaseSeconds),
    ]
  }

  /// null for a value that JSON cannot express: an infinity.
  private static func json(_ seconds: Double) -> JSON {
    JSON.Number(seconds).map(JSON.number) ?? .null
  }
}

extension SchemaFigures {
  fileprivate var json: JSON {
    [
      "scalars": JSON(scalars), "objects": JSON(objects), "interfaces": JSON(interfaces),
      "unions": JSON(unions), "enums": JSON(enums), "inputObjects": JSON(inputObjects),
      "directives": JSON(directives), "fields": fields.json, "arguments": arguments.json,
      "inputFields": inputFields.json, "enumValues": enumValues.json,
    ]
  }
}

extension SchemaFigures.Count {
  fileprivate var json: JSON { ["all": JSON(all), "deprecated": JSON(deprecated)] }
}
