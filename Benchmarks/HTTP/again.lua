-- The targets in a file, one a line, in turn and again and again.
--
--   wrk ... -s again.lua URL -- FILE
local requests, count = {}, 0

function init(args)
  for target in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", target)
  end
end

function request()
  count = count % #requests + 1
  return requests[count]
end
