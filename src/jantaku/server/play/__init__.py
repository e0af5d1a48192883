"""Tables: seats, sockets, clocks, broadcast and the games on them."""
