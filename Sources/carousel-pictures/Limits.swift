import Glibc

/// Bytes of memory. A HEIF picture of 200 megapixels is decoded as a whole.
private let memory: rlim_t = 2 << 30
/// Seconds of processor time for a job.
private let seconds = 20

/// Limits the memory, the files and the written bytes of this process, and turns core dumps off.
func setLimits() {
  set(RLIMIT_AS, memory)
  set(RLIMIT_NOFILE, 32)
  set(RLIMIT_FSIZE, 64 << 20)
  set(RLIMIT_CORE, 0)
}

/// Gives the next job its processor time. SIGXCPU ends the process when it is over.
func renewTime() {
  var usage = rusage()
  getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  var limit = rlimit(
    rlim_cur: rlim_t(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + seconds), rlim_max: rlim_t.max)
  setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
}

private func set(_ resource: __rlimit_resource, _ value: rlim_t) {
  var limit = rlimit(rlim_cur: value, rlim_max: value)
  setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
}
