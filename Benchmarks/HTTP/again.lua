-- Requests the targets of a file, one on each line, repeatedly and in turn. Uses the heads of another
-- file in turn.
--
--   wrk ... -s again.lua URL -- TARGETS HEADS heads.lua
local lines, heads, count = {}, {}, 0

function init(args)
  for target in io.lines(args[1]) do
    lines[#lines + 1] = "GET " .. target .. " HTTP/1.1\r\n"
  end
  heads = dofile(args[3])(args[2])
end

function request()
  count = count + 1
  return lines[count % #lines + 1] .. heads[count % #heads + 1]
end
