import Glibc

/// Keeps the optimizer from removing the computation of a result.
@inline(never)
func use<Value>(_ value: Value) {}

/// The processor time of `work` on this thread, in seconds. The load of the machine has little
/// influence on it.
func seconds(_ work: () -> Void) -> Double {
  var (start, end) = (timespec(), timespec())
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
  work()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
  return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) * 1e-9
}

/// The median time of one call, in seconds. Each batch of `count` calls is timed as a whole, so
/// that the time of reading the clock is negligible.
func median(batches: Int, of count: Int, _ work: (Int) -> Void) -> Double {
  let times = (0..<batches).map { batch in
    seconds { for call in 0..<count { work(batch * count + call) } } / Double(count)
  }
  return times.sorted()[batches / 2]
}

/// The resident memory of the process in bytes: the second field of /proc/self/statm, in pages of
/// 4096 bytes.
func residentBytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, 128, file) != nil else { return 0 }
  let fields = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
    separator: " ")
  return (Int(fields[1]) ?? 0) * 4096
}

/// Writes a file. Exits with status 74 if it cannot.
func write(_ text: String, to path: String) {
  guard let file = fopen(path, "w") else {
    print("cannot write \(path)")
    exit(74)
  }
  fputs(text, file)
  fclose(file)
}

/// SplitMix64: equal strips and positions in every run.
struct SeededRandom: RandomNumberGenerator {
  var state: UInt64 = 11

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
