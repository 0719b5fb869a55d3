import Glibc
import HTTP

extension Metrics {
  /// Adds what Prometheus's own clients tell of a process, and which program this is.
  func addProcess(version: String) {
    gauge(
      "target_info", "Which program this is.",
      labels: "{service_name=\"carousel\",service_version=\"\(version)\"}"
    ) { 1 }
    let start = Double(time(nil))
    gauge("process_start_time_seconds", "When the process started, since 1970.") { start }
    counter("process_cpu_seconds_total", "Seconds of the processor that were used.") {
      var usage = rusage()
      getrusage(RUSAGE_SELF.rawValue, &usage)
      return [usage.ru_utime, usage.ru_stime].reduce(0) {
        $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
      }
    }
    gauge("process_resident_memory_bytes", "Memory that the process has.") {
      // Of /proc/self/statm the second number is pages.
      guard let file = fopen("/proc/self/statm", "r") else { return 0 }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
      let words = line.prefix { $0 != 0 }.split(separator: CChar(UInt8(ascii: " ")))
      guard words.count > 1 else { return 0 }
      let pages = words[1].reduce(0) { $0 * 10 + Int($1) - 48 }
      return Double(pages * sysconf(Int32(_SC_PAGESIZE)))
    }
    gauge("process_open_fds", "Files and sockets open.") {
      guard let folder = opendir("/proc/self/fd") else { return 0 }
      defer { closedir(folder) }
      var count = -3  // ".", ".." and the folder itself
      while readdir(folder) != nil { count += 1 }
      return Double(count)
    }
  }
}
