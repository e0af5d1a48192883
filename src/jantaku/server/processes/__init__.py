"""Messages between the processes of a site: news, requests, and forwarded HTTP requests and sockets."""
