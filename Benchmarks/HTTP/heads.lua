-- Reads request heads from a file. An empty line ends each head.
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
