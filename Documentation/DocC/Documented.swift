// A package has at least one target. The documentation is that of this import.
import Windowing
