"""Tables and their games: seats, sockets, clocks and spectators."""
