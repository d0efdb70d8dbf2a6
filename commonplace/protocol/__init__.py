"""What client and server say to each other: requests, replies, and their way to JSON and back."""
