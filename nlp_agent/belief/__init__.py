"""Who is a wolf: facts, fitted odds and the exact posterior over all assignments of roles."""
