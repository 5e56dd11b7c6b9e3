/// The scripts of the storage. Each runs without interruption, so no process sees a part of its effect.
enum StorageScripts {
  /// Stores a response with the current generations, which are created if they are missing, and ends the lease.
  ///
  /// Keys: the response, the lease, the generations of the namespace, the scope and the tags. Arguments: the envelope,
  /// its time to live, a new generation, the expected generations of the namespace and the scope (empty for any), the
  /// lease's token (empty for none), the time to live of generations, the channel, and the head of each tag.
  ///
  /// A changed generation means that the response was requested before a removal, and must not be stored. The time of
  /// a generation is extended rarely, since that is a change that all memories above the server are notified of.
  static let store = ValkeyScript(
    ServerScripts.generation + """
      local value, current = 'GRV1', 1
      for i = 3, #KEYS do
        local generation = redis.call('GET', KEYS[i])
        if i <= 4 and ARGV[i + 1] ~= '' and generation ~= ARGV[i + 1] then current = 0 end
        if not generation then
          generation = i == 3 and ofThisServer(ARGV[3]) or ARGV[3]
          redis.call('SET', KEYS[i], generation, 'PX', ARGV[7])
        elseif redis.call('PTTL', KEYS[i]) < tonumber(ARGV[2]) then
          redis.call('PEXPIRE', KEYS[i], ARGV[7])
        end
        if i > 4 then value = value .. ARGV[i + 4] end
        value = value .. generation
        if i == 4 then value = value .. string.char(#KEYS - 4) end
      end
      if current == 1 then redis.call('SET', KEYS[1], value .. ARGV[1], 'PX', ARGV[2]) end
      if ARGV[6] ~= '' and redis.call('GET', KEYS[2]) == ARGV[6] then redis.call('DEL', KEYS[2]) end
      redis.call('PUBLISH', ARGV[8], '')
      return current
      """)

  /// The generations of the namespace and a scope, which exist afterwards. Keys: both. Arguments: a new generation, and its
  /// time to live.
  static let generations = ValkeyScript(
    ServerScripts.generation + """
      for i = 1, 2 do
        redis.call('SET', KEYS[i], i == 1 and ofThisServer(ARGV[1]) or ARGV[1], 'NX', 'PX', ARGV[2])
      end
      return redis.call('MGET', KEYS[1], KEYS[2])
      """)

  /// Ends a lease, unless another process has it by now. Key: the lease. Arguments: its token, the channel, and the
  /// milliseconds in which no process gets a lease, 0 for none.
  static let release = ValkeyScript(
    """
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    if ARGV[3] == '0' then
      redis.call('DEL', KEYS[1])
    else
      redis.call('SET', KEYS[1], '-', 'PX', ARGV[3])
    end
    redis.call('PUBLISH', ARGV[2], '')
    return 1
    """)

  /// Extends a lease, unless another process has it by now. Key: the lease. Arguments: its token and its time.
  static let renew = ValkeyScript(
    """
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    return redis.call('PEXPIRE', KEYS[1], ARGV[2])
    """)
}
