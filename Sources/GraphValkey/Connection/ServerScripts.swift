/// The parts of scripts that tell the processes of the server apart.
///
/// A server that has restarted with the data of a file, or that has replaced its master, may lack the last changes: a
/// removal would be undone. So the generation of all responses ends with the beginning of the `run_id`, which is random for
/// each process, and each new connection deletes a generation of another process. Without it, no response counts.
enum ServerScripts {
  private static let server = """
    local function server()
      return string.match(redis.call('INFO', 'server'), 'run_id:(%x%x%x%x%x%x%x%x)')
    end

    """

  /// A function that makes a generation of this server of a random one.
  static let generation =
    server + """
      local function ofThisServer(generation) return string.sub(generation, 1, 8) .. server() end

      """

  /// Deletes the generation, which is the key, if it is of another server.
  static let check =
    server + """
      local generation = redis.call('GET', KEYS[1])
      if generation and string.sub(generation, 9) ~= server() then redis.call('UNLINK', KEYS[1]) end
      return 1
      """
}
