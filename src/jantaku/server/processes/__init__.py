"""What goes between the processes of a site: news, questions, and what is forwarded to another."""
