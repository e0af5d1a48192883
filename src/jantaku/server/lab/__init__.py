"""Questions to the lab from the browser, worked on in processes of their own within limits."""
