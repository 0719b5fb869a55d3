import Glibc
import HTTP
import HTTPServer
import Testing

@Suite struct DescriptorTests {
  @Test func `without file descriptors the server waits without spinning and recovers`() async {
    // The limit belongs to the process, so the test runs in its own process.
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let server = RunningServer { $0.threads = 2 }
      let clients = try (0..<200).map { _ in try RawClient.unconnected() }
      // The limit is the number of open files, so the server can accept no connection.
      let next = dup(0)
      close(next)
      var none = limit
      none.rlim_cur = rlim_t(next)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
      for client in clients {
        try client.connect(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      }
      let before = processorTime()
      #expect(!clients[0].hasSomething(within: 1000))
      #expect(processorTime() - before < .milliseconds(200))
      #expect(server.log.all.count < 20)
      #expect(server.log.all.contains { $0.contains("Cannot accept connections") })
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      for client in clients { #expect(client.response()?.status == 200) }
    }
  }

  @Test func `the limit of open files limits the connections`() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      var few = limit
      few.rlim_cur = 64
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &few)
      let server = RunningServer()
      // The clients are in this process and need descriptors too.
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let clients = try (0..<200).map { _ in
        let client = try server.client(sending: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        return client
      }
      let statuses = clients.map { $0.response()?.status }
      #expect(statuses.count { $0 == 200 } == 32)
      #expect(statuses.count { $0 == 503 } == 168)
    }
  }
}

/// The processor time of this process.
private func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
