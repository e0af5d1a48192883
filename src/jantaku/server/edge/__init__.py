"""What every request and connection passes: limits, hosts, sizes, the wire, who asks."""
