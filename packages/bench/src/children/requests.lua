-- Sends the requests of a file for wrk, one after the other: a line for each, "<method> <path> <body>".
-- The first line has the headers of all, as "<name>: <value>" separated by tabs.
local requests, at = {}, 0

function init(args)
  local headers = {}
  local file = assert(io.open(args[1]))
  for header in file:read("*l"):gmatch("[^\t]+") do
    local name, value = header:match("^(.-): (.*)$")
    headers[name] = value
  end
  for line in file:lines() do
    local method, path, body = line:match("^(%S+) (%S+) ?(.*)$")
    requests[#requests + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
  end
  file:close()
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('\n{"requests":%d,"us":%d,"p50":%d,"p99":%d,"failed":%d}\n', summary.requests,
    summary.duration, latency:percentile(50), latency:percentile(99), failed))
end
