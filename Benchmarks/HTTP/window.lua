-- Windows of a strip at offsets from a seeded generator: the same for every server that is measured.
--
--   wrk ... -s window.lua URL -- STRIP REVISION EXTENT DIFFERENT SEED
--
-- DIFFERENT is how many windows are asked for in turn; 0 for a new one each time.
local requests, extent, prefix, different

function init(args)
  prefix = "/window?strip=" .. args[1] .. "&width=1900&overscan=700&revision=" .. args[2] .. "&offset="
  extent, different = tonumber(args[3]), tonumber(args[4])
  math.randomseed(tonumber(args[5]))
  requests = {}
  for n = 1, different do
    requests[n] = wrk.format("GET", prefix .. math.random(0, extent))
  end
end

local count = 0
function request()
  if different == 0 then
    return wrk.format("GET", prefix .. math.random(0, extent))
  end
  count = count % different + 1
  return requests[count]
end
