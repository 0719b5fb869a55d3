import Glibc

/// Keeps a result from being computed for nothing.
@inline(never)
func use<Value>(_ value: Value) {}

/// The seconds of processor time that `work` takes on this thread: what else the machine does
/// counts little.
func seconds(_ work: () -> Void) -> Double {
  var (start, end) = (timespec(), timespec())
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
  work()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
  return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) * 1e-9
}

/// The median time of one of `count` calls, in seconds: the calls are timed in batches, so that the
/// clock itself does not count.
func median(batches: Int, of count: Int, _ work: (Int) -> Void) -> Double {
  let times = (0..<batches).map { batch in
    seconds { for call in 0..<count { work(batch * count + call) } } / Double(count)
  }
  return times.sorted()[batches / 2]
}

/// The bytes of memory that the process has in use: the second field of /proc/self/statm, in
/// pages of 4096.
func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, 128, file) != nil else { return 0 }
  let fields = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
    separator: " ")
  return (Int(fields[1]) ?? 0) * 4096
}

/// Writes a file, or says why not.
func write(_ text: String, to path: String) {
  guard let file = fopen(path, "w") else {
    print("bench-engine: cannot write \(path)")
    exit(74)
  }
  fputs(text, file)
  fclose(file)
}
