-- Requests a different window of a strip each time. The offsets come from a seeded generator, so they
-- are
-- the same for each server. Uses the heads of a file in turn. Without a file, a head has only Host.
--
--   wrk ... -s window.lua URL -- STRIP REVISION EXTENT SEED [HEADS heads.lua]
local extent, prefix, heads, count = 0, "", { "Host: 127.0.0.1\r\n\r\n" }, 0

function init(args)
  prefix = "GET /window?strip=" .. args[1] .. "&width=1900&overscan=700&revision=" .. args[2] .. "&offset="
  extent = tonumber(args[3])
  math.randomseed(tonumber(args[4]))
  if args[5] then heads = dofile(args[6])(args[5]) end
end

function request()
  count = count + 1
  return prefix .. math.random(0, extent) .. " HTTP/1.1\r\n" .. heads[count % #heads + 1]
end
