/// The parts of scripts that find out whether the server has become the master since a generation was created.
///
/// A server that has restarted with the data of a file, or that has replaced the master, may lack the last changes: a
/// removal would be undone. So the generation of all responses ends with the beginning of the server's replication
/// identifier (`master_replid`), which is another one after each restart and each promotion. New connections delete a
/// generation with another end. Without it, no response counts.
enum ServerScripts {
  private static let history = """
    local function history()
      local information = redis.call('INFO', 'replication')
      return string.match(information, 'role:master.-master_replid:(%x%x%x%x%x%x%x%x)')
    end

    """

  /// A function that makes a generation of this server of a random one. It fails on a server that is not a master.
  static let generation =
    history + """
      local function ofThisServer(generation) return string.sub(generation, 1, 8) .. history() end

      """

  /// Deletes the generation, which is the key, if it is older than the server's history as a master. Returns 1, or an
  /// error if the server is not a master or does not tell.
  static let check =
    history + """
      local history = history()
      if not history then return redis.error_reply('HISTORY there is no master_replid of a master') end
      local generation = redis.call('GET', KEYS[1])
      if generation and string.sub(generation, 9) ~= history then redis.call('UNLINK', KEYS[1]) end
      return 1
      """
}
