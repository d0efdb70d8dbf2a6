"""What client and server say to each other: requests, replies, and how they become JSON and back."""
