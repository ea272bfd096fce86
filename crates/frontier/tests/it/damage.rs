//! What a frontier says when its files are not what it wrote.
