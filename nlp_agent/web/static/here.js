// Tells the server that this page is open, for as long as it is.
new EventSource("/here");
