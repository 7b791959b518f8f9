/**
 * The scripts that Redis runs. Each script is atomic.
 *
 * `meta` is a hash: the `version` of the rows, the `epoch` of the latest leader, and the `number` of the latest commit.
 * `lease` exists while a process leads. The leader of `epoch` may renew even an expired lease, because no other process has
 * led since.
 */

/**
 * Becomes the leader. KEYS: meta, lease. ARGV: version, lease in milliseconds, wall clock in milliseconds.
 * An epoch is at least the current time, so that it increases even after Redis has lost its data. Returns the epoch and the
 * number of the last commit, '' while another process leads, or `version N` if the rows have another version.
 */
export const LEAD = `
local meta = redis.call('HMGET', KEYS[1], 'version', 'epoch', 'number')
if meta[1] and meta[1] ~= ARGV[1] then return 'version ' .. meta[1] end
if redis.call('EXISTS', KEYS[2]) == 1 then return '' end
local epoch = string.format('%.0f', math.max(tonumber(meta[2] or '0') + 1, tonumber(ARGV[3])))
local number = meta[3] or '0'
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'epoch', epoch, 'number', number)
redis.call('SET', KEYS[2], epoch, 'PX', ARGV[2])
return epoch .. ' ' .. number
`

/** Renews the lease. KEYS: meta, lease. ARGV: epoch, lease in milliseconds. Returns 0 if another process has led. */
export const RENEW = `
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
return 1
`

/** Releases the lease. KEYS: meta, lease. ARGV: epoch. */
export const RELEASE = `
if redis.call('HGET', KEYS[1], 'epoch') == ARGV[1] then redis.call('DEL', KEYS[2]) end
return 1
`

/**
 * Stores a part of a commit, and renews the lease. KEYS: meta, lease, index, then the hashes of rows.
 * ARGV: epoch, number of the commit, number of the last one that the leader knows to be stored, '1' for the last part of
 * the commit, lease in milliseconds; then, for each hash: its name in the index, the number of fields and values,
 * the fields and values, the number of fields to delete, and these fields.
 *
 * Commits are numbered: one that arrives late, from an old connection, must not replace later rows.
 * Returns 1 if the commit is stored, and 0 if another process has led. If Redis has lost commits, it returns -1 minus the
 * number of the last commit that it has.
 */
export const COMMIT = `
local meta = redis.call('HMGET', KEYS[1], 'epoch', 'number')
if meta[1] ~= ARGV[1] then return 0 end
local stored = tonumber(meta[2])
if stored < tonumber(ARGV[3]) then return -1 - stored end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[5])
if stored >= tonumber(ARGV[2]) then return 1 end
local at = 6
local function each(command, key)
  local last = at + tonumber(ARGV[at])
  at = at + 1
  while at <= last do
    local to = math.min(at + 3999, last)
    redis.call(command, key, unpack(ARGV, at, to))
    at = to + 1
  end
end
for i = 4, #KEYS do
  local name = ARGV[at]
  at = at + 1
  if ARGV[at] ~= '0' then redis.call('SADD', KEYS[3], name) end
  each('HSET', KEYS[i])
  local hasDeleted = ARGV[at] ~= '0'
  each('HDEL', KEYS[i])
  if hasDeleted and redis.call('EXISTS', KEYS[i]) == 0 then redis.call('SREM', KEYS[3], name) end
end
if ARGV[4] == '1' then redis.call('HSET', KEYS[1], 'number', ARGV[2]) end
return 1
`
