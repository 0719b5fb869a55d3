-- The heads in a file, each ended by an empty line.
return function(path)
  local heads, lines = {}, {}
  for line in io.lines(path) do
    lines[#lines + 1] = line .. "\n"
    if line == "\r" then
      heads[#heads + 1] = table.concat(lines)
      lines = {}
    end
  end
  return heads
end
