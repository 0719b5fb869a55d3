import Glibc
import HTTP
import Testing

@testable import HTTPServer

@Suite struct DescriptorTests {
  @Test func `Without file descriptors it waits without spinning, and recovers at once`() async {
    // In a process of its own: the limit is the whole process's.
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      var options = ServerOptions()
      options.threads = 2
      let daemon = RunningDaemon(options)
      let clients = try (0..<200).map { _ in try RawClient.unconnected() }
      // As many as are open: nobody can be accepted.
      let next = dup(0)
      close(next)
      var none = limit
      none.rlim_cur = rlim_t(next)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
      for client in clients {
        try client.connect(port: daemon.port)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      }
      let before = processorTime()
      #expect(!clients[0].hasSomething(within: 1000))
      #expect(processorTime() - before < .milliseconds(200))
      #expect(daemon.lines.all.count < 20)
      #expect(daemon.lines.all.contains { $0.contains("No connection can be accepted") })
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let began = ContinuousClock.now
      for client in clients { #expect(client.response()?.status == 200) }
      #expect(ContinuousClock.now - began < .seconds(5))
    }
  }

  @Test func `With few file descriptors only as many connections are kept`() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      var few = limit
      few.rlim_cur = 64
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &few)
      let daemon = RunningDaemon()
      // The clients are in this process too.
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let clients = try (0..<200).map { _ in
        let client = try daemon.client()
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        return client
      }
      let statuses = clients.map { $0.response()?.status }
      #expect(statuses.count { $0 == 200 } == 32)
      #expect(statuses.count { $0 == 503 } == 168)
    }
  }
}

/// Seconds that this process has kept processors busy.
private func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
