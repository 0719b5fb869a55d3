-- Windows of a strip, another one each time, at offsets from a seeded generator: the same for every
-- server that is measured.
--
--   wrk ... -s window.lua URL -- STRIP REVISION EXTENT SEED
local extent, prefix

function init(args)
  prefix = "/window?strip=" .. args[1] .. "&width=1900&overscan=700&revision=" .. args[2] .. "&offset="
  extent = tonumber(args[3])
  math.randomseed(tonumber(args[4]))
end

function request()
  return wrk.format("GET", prefix .. math.random(0, extent))
end
