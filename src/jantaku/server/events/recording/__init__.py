"""Games entered at an event: hands, signing, doubts and the desk."""
