/// The tables of overlays in the store's file. They are created when a module uses them.
enum OverlayTables {
  static let names = ["overlay_base", "overlay_patch"]

  static let statements = [
    // The known state of an entity that has patches; empty if there is none.
    """
    CREATE TABLE IF NOT EXISTS overlay_base(
      entity TEXT NOT NULL PRIMARY KEY,
      record TEXT NOT NULL) STRICT
    """,
    """
    CREATE TABLE IF NOT EXISTS overlay_patch(
      entity TEXT NOT NULL,
      change INTEGER NOT NULL,
      effect TEXT NOT NULL,
      content TEXT NOT NULL,
      PRIMARY KEY(entity, change)) STRICT
    """,
    "CREATE INDEX IF NOT EXISTS overlay_change ON overlay_patch(change)",
    // The objects that are expected to be deleted, which every response may lead to.
    """
    CREATE INDEX IF NOT EXISTS overlay_deletion ON overlay_patch(change) WHERE effect = 'delete'
    """,
  ]
}
