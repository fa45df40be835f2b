module context-adapter

go 1.22
